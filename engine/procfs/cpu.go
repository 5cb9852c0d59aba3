package procfs

// readCPUs lists all CPUs: none can be taken away.
func readCPUs(fs *FS, _ object) string { return fs.machine.Core().Topo.All().String() + "\n" }

// readCoreID numbers the cores of each package from 0, in the order of their
// first CPUs.
func readCoreID(fs *FS, on object) string {
	topo := fs.machine.Core().Topo
	id, first := 0, topo.CoreMask(on.cpu).First()
	for cpu := range topo.PackageMask(on.cpu).CPUs() {
		if cpu < first && topo.CoreMask(cpu).First() == cpu {
			id++
		}
	}
	return itoa(id) + "\n"
}

func readPackageID(fs *FS, on object) string {
	return itoa(fs.machine.Core().Topo.CPU(on.cpu).Package) + "\n"
}

func readThreadSiblings(fs *FS, on object) string {
	return fs.machine.Core().Topo.CoreMask(on.cpu).String() + "\n"
}

func readCoreSiblings(fs *FS, on object) string {
	return fs.machine.Core().Topo.PackageMask(on.cpu).String() + "\n"
}
