"""What runs on the far side: nothing here is imported by the library's own process but `values`. Standard library only."""
