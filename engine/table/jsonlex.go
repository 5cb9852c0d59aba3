package table

import (
	"encoding/json"
	"io"
	"strings"
)

// jsonTokens are what json.Decoder gives, and jsonLexer some ten times as fast.
type jsonTokens interface {
	Token() (json.Token, error)
	More() bool
}

// jsonLexer takes a text apart that is known to be valid JSON.
type jsonLexer struct {
	text string
	at   int
}

// skip goes to the next byte that is no space, comma or colon.
func (l *jsonLexer) skip() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n,:", l.text[l.at]) >= 0 {
		l.at++
	}
}

// More reports whether another element of the array or object follows.
func (l *jsonLexer) More() bool {
	l.skip()
	return l.at < len(l.text) && l.text[l.at] != ']' && l.text[l.at] != '}'
}

// Token returns the next token: a json.Delim, string, json.Number, bool or nil.
func (l *jsonLexer) Token() (json.Token, error) {
	l.skip()
	if l.at == len(l.text) {
		return nil, io.EOF
	}
	start := l.at
	switch c := l.text[start]; c {
	case '[', ']', '{', '}':
		l.at++
		return json.Delim(c), nil
	case '"':
		plain := true
		for l.at++; l.text[l.at] != '"'; l.at++ {
			if l.text[l.at] == '\\' {
				l.at++
				plain = false
			}
			plain = plain && l.text[l.at] < 0x80
		}
		l.at++
		if plain {
			return l.text[start+1 : l.at-1], nil
		}
		var s string
		err := json.Unmarshal([]byte(l.text[start:l.at]), &s)
		return s, err
	}
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n,:]}", l.text[l.at]) < 0 {
		l.at++
	}
	switch word := l.text[start:l.at]; word {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	default:
		return json.Number(word), nil
	}
}
