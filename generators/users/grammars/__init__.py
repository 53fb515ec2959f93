"""The grammars of the worlds with simulated users, one file each: the file's name is the grammar's, and its `GRAMMAR` the value."""
