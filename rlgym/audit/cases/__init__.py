"""The cases of an audit, by subject."""
