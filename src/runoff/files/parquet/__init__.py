"""Parquet files, alone or in shards, here or in object stores: read whole or in parts of whole queries."""
