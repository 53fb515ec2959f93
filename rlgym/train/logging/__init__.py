"""What a run reports: metrics, timings, progress callbacks, plots and the HTML report."""
