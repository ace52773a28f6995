module github.com/ollama/ollama/fs/ggml

go 1.19
