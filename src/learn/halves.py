"""Sound LoRA adapters for the tensors of a model: two halves for each."""

from dataclasses import replace

from gguf_file import Model, Tensor, Value


def halves(random, tensor):
    """The two halves for a tensor: rows by rank and rank by columns, with the tensor's further dimensions."""
    rank = random.choice([1, 2, 4, 8])
    rest = tensor.dims[2:]
    a = Tensor(tensor.name + ".lora_a", 0, (tensor.dims[0], rank) + rest)
    b = Tensor(tensor.name + ".lora_b", 0, (rank, tensor.dims[1] if len(tensor.dims) > 1 else 1) + rest)
    if tensor.name == "token_embd.weight":  # the rows of the first half are looked up
        a, b = replace(a, dims=(rank, tensor.dims[1])), replace(b, dims=(rank, tensor.dims[0]))
    return [a, b]


def with_halves(architecture, tensors):
    """An adapter for an architecture."""
    keys = {"general.architecture": Value("str", architecture), "general.type": Value("str", "adapter"),
            "adapter.type": Value("str", "lora"), "adapter.lora.alpha": Value("f32", 16.0)}
    return Model(keys, tensors)
