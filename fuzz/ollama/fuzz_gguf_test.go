// SPDX-License-Identifier: MIT

// Native fuzz targets of the GGUF reader, to be put into fs/ggml of Ollama's tree. Seeds are the files of
// testdata/gguf and what earlier runs left in testdata/fuzz.

package ggml

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// addSeeds gives the fuzzer the files of testdata/gguf, and what a reader sees first of other files.
func addSeeds(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "gguf", "*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte{})
	f.Add([]byte("GGUF"))
	f.Add([]byte("GGUF\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
}

// mostArrays bounds the elements of an array that are kept, as the server does when it only looks; without
// a bound all are kept.
var mostArrays = []int{0, 1024, -1}

// FuzzDecode reads a file as the server does before it knows what is in it.
func FuzzDecode(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, most := range mostArrays {
			if _, err := Decode(bytes.NewReader(data), most); err != nil {
				continue
			}
		}
	})
}

// FuzzDecodeAndAsk asks a model that was read what the scheduler asks: none of it may panic, whatever the
// types of the keys are.
func FuzzDecodeAndAsk(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		model, err := Decode(bytes.NewReader(data), -1)
		if err != nil {
			return
		}
		kv := model.KV()
		_ = kv.Architecture()
		_ = kv.Kind()
		_ = kv.ParameterCount()
		_ = kv.FileType()
		_ = kv.BlockCount()
		_ = kv.EmbeddingLength()
		_ = kv.HeadCountMax()
		_ = kv.HeadCountMin()
		_ = kv.HeadCountKVMax()
		_ = kv.HeadCountKVMin()
		_ = kv.EmbeddingHeadCountMax()
		_ = kv.ContextLength()
		_ = kv.ChatTemplate()
		tensors := model.Tensors()
		for _, tensor := range tensors.Items() {
			_ = tensor.Size()
			_ = tensor.Type()
		}
		_ = tensors.GroupLayers()
	})
}
