// SPDX-License-Identifier: MIT
//! What the target uses of candle-core, declared anew, so that it compiles where there is no candle.

pub enum Device {
    Cpu,
}

#[derive(Debug)]
pub struct Error;
pub type Result<T> = std::result::Result<T, Error>;
pub struct Tensor;

pub mod quantized {
    use super::{Device, Result, Tensor};

    pub struct QTensor;
    impl QTensor {
        pub fn dequantize(&self, _device: &Device) -> Result<Tensor> {
            Ok(Tensor)
        }
    }

    pub mod gguf_file {
        use super::super::{Device, Error, Result};
        use super::QTensor;
        use std::collections::HashMap;

        pub struct TensorInfo;
        pub struct Content {
            pub tensor_infos: HashMap<String, TensorInfo>,
        }

        impl Content {
            pub fn read<R: std::io::Seek + std::io::Read>(reader: &mut R) -> Result<Self> {
                let mut magic = [0u8; 4];
                reader.read_exact(&mut magic).map_err(|_| Error)?;
                if &magic != b"GGUF" {
                    return Err(Error);
                }
                Ok(Content { tensor_infos: HashMap::from([("t".to_string(), TensorInfo)]) })
            }

            pub fn tensor<R: std::io::Seek + std::io::Read>(
                &self,
                _reader: &mut R,
                name: &str,
                _device: &Device,
            ) -> Result<QTensor> {
                self.tensor_infos.get(name).map(|_| QTensor).ok_or(Error)
            }
        }
    }
}
