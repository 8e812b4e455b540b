"""proto_library where protobuf's own repository has it; here it is built into Bazel."""

proto_library = native.proto_library
