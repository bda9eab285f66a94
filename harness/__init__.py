"""The harness: real servers, people who play, and misfortune; tests, drills and benchmarks use it."""
