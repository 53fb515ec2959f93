"""Tables of many sorts: logs, sheets, records, relations, and small query languages over them."""
