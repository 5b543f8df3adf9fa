"""The pool: one file a role."""
