"""Figures drawn on the server, without a browser: the same Plotly figure as SVG, as PNG and on a page of a PDF."""
