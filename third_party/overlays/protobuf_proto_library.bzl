"""proto_library where protobuf's own repository has it; here it is built into Bazel."""

def proto_library(name, tags = [], **attributes):
    # Manual: only the files of the library are used, not its descriptor set, for which Bazel would build another protoc
    # than that of cc_proto_library.
    native.proto_library(name = name, tags = tags + ["manual"], **attributes)
