"""The functions that are uploaded to AWS."""

# Those of asynchronous generation.
GENERATION_FUNCTIONS = [
    "cancel",
    "clean_up",
    "generate",
    "history",
    "migration",
    "retry",
    "status",
    "update_state",
    "worker",
]

# Those of Mesh v2.
MESH_FUNCTIONS = [
    "create_group",
    "dissolve_group",
    "fire_events",
    "leave_group",
]

# All zips: //lambdas:NAME.
ZIPS = [
    "collector",
    "mock_api",
    "sender",
] + ["generation_" + name for name in GENERATION_FUNCTIONS] + ["mesh_" + name for name in MESH_FUNCTIONS]
