// Package stdlib embeds the scripts that ship with the program; a script
// reaches them by load("@stdlib//desktop.star", "make_j").
package stdlib

import "embed"

// FS holds the scripts, by their names.
//
//go:embed *.star
var FS embed.FS
