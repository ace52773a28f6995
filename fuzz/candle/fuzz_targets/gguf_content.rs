// SPDX-License-Identifier: MIT
//! A GGUF file is read, and each of its tensors is loaded and dequantized: candle_core::quantized::gguf_file.

#![no_main]

use candle_core::quantized::gguf_file::Content;
use candle_core::Device;
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    let mut reader = Cursor::new(data);
    let content = match Content::read(&mut reader) {
        Ok(content) => content,
        Err(_) => return,
    };
    let mut names: Vec<&String> = content.tensor_infos.keys().collect();
    names.sort(); // the same order in every run
    for name in names {
        if let Ok(tensor) = content.tensor(&mut reader, name, &Device::Cpu) {
            let _ = tensor.dequantize(&Device::Cpu);
        }
    }
});
