"""Research: training, the bars of the levels, the league, calibration and seat advantage."""
