package bindings

// catalog lists the tables of all built-ins. A file that adds names to the
// language adds its table here. Constants may use what stands before them.
func catalog() []Table {
	return []Table{
		kindTable(),
		durationTable(),
		sizeTable(),
		coreTable(),
		rangeTable(),
		moduleTable(),
		fmtTable(),
		paramTable(),
		checkTable(),
		assertTable(),
		helpTable(),
		topoTable(),
		distTable(),
		workTable(),
		programTable(),
		costsTable(),
		kernelTable(),
		samplesTable(),
		tableTable(),
		statsTable(),
		repeatTable(),
		plotTable(),
		machineTable(),
		runTable(),
		callbackTable(),
		eventTable(),
		spawnTable(),
		taskTable(),
		semaphoreTable(),
		fileTable(),
		cgroupTable(),
		measureTable(),
		countersTable(),
		tallyTable(),
	}
}
