"""Statistics over replications: intervals of means and paired comparisons."""
