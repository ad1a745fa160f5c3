//! Ranges of addresses: CIDR, `first-last`, or one address.

use std::net::IpAddr;

/// A range of addresses of one family, both ends in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    is_v6: bool,
    first: u128,
    last: u128,
}

impl Range {
    /// Reads `192.0.2.0/24`, `192.0.2.1-192.0.2.9` or `192.0.2.1`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some((address, length)) = text.split_once('/') {
            let (is_v6, address) = number(address)?;
            let bits: u32 = if is_v6 { 128 } else { 32 };
            let length: u32 = length.trim().parse().ok().filter(|length| *length <= bits)?;
            let free = bits - length;
            let mask = if free == 128 { u128::MAX } else { (1 << free) - 1 };
            return Some(Self { is_v6, first: address & !mask, last: address | mask });
        }
        match text.split_once('-') {
            Some((first, last)) => Self::between(first, last),
            None => Self::between(text, text),
        }
    }

    /// From one address to another.
    pub(super) fn between(first: &str, last: &str) -> Option<Self> {
        let ((is_v6, first), (other, last)) = (number(first)?, number(last)?);
        (is_v6 == other && first <= last).then_some(Self { is_v6, first, last })
    }

    /// Whether some address is in both.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.is_v6 == other.is_v6 && self.first <= other.last && other.first <= self.last
    }
}

fn number(text: &str) -> Option<(bool, u128)> {
    match text.trim().parse().ok()? {
        IpAddr::V4(address) => Some((false, u32::from(address).into())),
        IpAddr::V6(address) => Some((true, u128::from(address))),
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    fn overlap(one: &str, other: &str) -> bool {
        Range::parse(one).unwrap().overlaps(&Range::parse(other).unwrap())
    }

    #[test]
    fn ranges_overlap_where_an_address_is_in_both() {
        assert!(overlap("192.0.2.0/24", "192.0.2.255"));
        assert!(!overlap("192.0.2.0/25", "192.0.2.128/25"));
        assert!(overlap("192.0.2.1-192.0.2.9", "192.0.2.8/29"));
        assert!(!overlap("192.0.2.1 - 192.0.2.7", "192.0.2.8/29"));
        assert!(overlap("192.0.2.77/24", "192.0.2.1"), "host bits are no matter");
        assert!(overlap("0.0.0.0/0", "203.0.113.1") && overlap("::/0", "2001:db8::1"));
        assert!(!overlap("::/0", "192.0.2.1"), "families are apart");
        for wrong in ["192.0.2.0/33", "192.0.2.9-192.0.2.1", "192.0.2", "", "a-b", "::1-192.0.2.1"] {
            assert_eq!(Range::parse(wrong), None, "{wrong}");
        }
    }
}
