"""The rooms of fuzz/campaign; docs/campaigns.md tells what it does."""
