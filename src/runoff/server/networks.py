"""Addresses of the network, and what belongs to one customer."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address


def customer_of(address: str) -> str:
    """An address, or the network of an IPv6 address: whoever has one of these has 2**64. Other text stays as it is.

    >>> customer_of("192.0.2.7"), customer_of("2001:db8:1:2:3::4"), customer_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7')
    >>> customer_of("fe80::1%eth0"), customer_of("testclient")
    ('fe80::', 'testclient')
    """
    try:
        number = ip_address(address)
    except ValueError:
        return address
    if isinstance(number, IPv6Address):
        inner = number.ipv4_mapped
        return str(inner) if inner else str(IPv6Address(int(number) >> 64 << 64))
    return str(number)
