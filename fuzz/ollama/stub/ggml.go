// SPDX-License-Identifier: MIT

// Package ggml declares what the targets use of Ollama's package of that name, so that they compile and run
// where there is no Ollama. It takes any file that begins as a GGUF file does.
package ggml

import (
	"errors"
	"io"
)

type GGML struct{ model }

type model struct{}

type KV map[string]any

type FileType uint32

type Tensors struct{ items []*Tensor }

type Tensor struct{ Name string }

type Layer map[string]*Tensor

func Decode(rs io.ReadSeeker, maxArraySize int) (*GGML, error) {
	magic := make([]byte, 4)
	if _, err := io.ReadFull(rs, magic); err != nil {
		return nil, err
	}
	if string(magic) != "GGUF" {
		return nil, errors.New("invalid file magic")
	}
	return &GGML{}, nil
}

func (model) KV() KV           { return KV{} }
func (model) Tensors() Tensors { return Tensors{items: []*Tensor{{Name: "t"}}} }

func (KV) Architecture() string          { return "" }
func (KV) Kind() string                  { return "" }
func (KV) ParameterCount() uint64        { return 0 }
func (KV) FileType() FileType            { return 0 }
func (KV) BlockCount() uint64            { return 0 }
func (KV) EmbeddingLength() uint64       { return 0 }
func (KV) HeadCountMax() uint64          { return 0 }
func (KV) HeadCountMin() uint64          { return 0 }
func (KV) HeadCountKVMax() uint64        { return 0 }
func (KV) HeadCountKVMin() uint64        { return 0 }
func (KV) EmbeddingHeadCountMax() uint64 { return 0 }
func (KV) ContextLength() uint64         { return 0 }
func (KV) ChatTemplate() string          { return "" }

func (s Tensors) Items(prefix ...string) []*Tensor { return s.items }
func (s Tensors) GroupLayers() map[string]Layer    { return nil }

func (Tensor) Size() uint64 { return 0 }
func (Tensor) Type() string { return "" }
