// Command go-reader reads YAML documents the way Kubernetes, Helm and Argo CD
// do, so that tests can compare. It answers one frame per document: 'J' and the
// document's JSON, or 'E' and the error. A frame is a length in four bytes, the
// highest first, and that many bytes.
//
// With the argument "rest" it says of each document whether there is text behind
// what was read, which the library ignores: 'E' and what is wrong with it, or 'J'.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	answer := read
	if len(os.Args) > 1 && os.Args[1] == "rest" {
		answer = rest
	}
	for {
		document, err := readFrame(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		if err := writeFrame(out, answer(document)); err != nil {
			log.Fatal(err)
		}
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

// keepPanic keeps a panic of the library to the document that made it.
func keepPanic(frame *[]byte) {
	if problem := recover(); problem != nil {
		*frame = []byte(fmt.Sprintf("Epanic: %v", problem))
	}
}

func read(document []byte) (frame []byte) {
	defer keepPanic(&frame)
	json, err := yaml.YAMLToJSON(document)
	if err != nil {
		return []byte("E" + err.Error())
	}
	return append([]byte("J"), json...)
}

// ignored takes any node and keeps nothing of it.
type ignored struct{}

func (*ignored) UnmarshalYAML(func(interface{}) error) error { return nil }

func rest(document []byte) (frame []byte) {
	defer keepPanic(&frame)
	decoder := goyaml.NewDecoder(bytes.NewReader(document))
	if err := decoder.Decode(&ignored{}); err != nil && !errors.Is(err, io.EOF) {
		return []byte("E" + err.Error())
	}
	switch err := decoder.Decode(&ignored{}); {
	case errors.Is(err, io.EOF):
		return []byte("J")
	case err != nil:
		return []byte("E" + err.Error())
	default:
		return []byte("Eanother document")
	}
}

func readFrame(in io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, binary.BigEndian.Uint32(length[:]))
	_, err := io.ReadFull(in, frame)
	return frame, err
}

func writeFrame(out io.Writer, frame []byte) error {
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(frame)))
	if _, err := out.Write(length[:]); err != nil {
		return err
	}
	_, err := out.Write(frame)
	return err
}
