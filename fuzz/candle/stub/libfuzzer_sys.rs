// SPDX-License-Identifier: MIT
//! The macro of libfuzzer-sys, as far as the target uses it, with a main function that replays files.

#[macro_export]
macro_rules! fuzz_target {
    (|$data:ident: &[u8]| $body:block) => {
        fn one_input($data: &[u8]) $body

        #[no_mangle]
        pub extern "C" fn main(_argc: i32, _argv: *const *const u8) -> i32 {
            let mut files = 0;
            for path in std::env::args_os().skip(1) {
                one_input(&std::fs::read(path).expect("a file to replay"));
                files += 1;
            }
            println!("{} files", files);
            0
        }
    };
}
