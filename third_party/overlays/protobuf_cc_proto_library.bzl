"""cc_proto_library where protobuf's own repository has it; here it is built into Bazel."""

cc_proto_library = native.cc_proto_library
