"""Parts of notebook worlds: cells that run in the sandbox, tables, and the comparison of what was written."""
