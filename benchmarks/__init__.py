"""The product's own speed and memory, each measured beside a floor or a peer in one run; ratios count, not seconds."""
