"""The modules of fuzz/campaign; docs/campaigns.md describes the program."""
