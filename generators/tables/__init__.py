"""Tables of many sorts: logs, sheets, records, relations, and small languages that ask about them."""
