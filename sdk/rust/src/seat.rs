//! The four seats at the table.

use std::fmt::{self, Write};

/// A seat at the table; they are clockwise, and partners are two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The partner of South.
    North,
    /// To the left of North, the partner of West.
    East,
    /// The partner of North.
    South,
    /// The partner of East.
    West,
}

impl Seat {
    /// All seats, clockwise from North.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The seat's place in [`Seat::ALL`]: 0 for North to 3 for West.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The next seat clockwise: to the left.
    pub const fn left(self) -> Self {
        self.clockwise(1)
    }

    /// The seat across the table.
    pub const fn partner(self) -> Self {
        self.clockwise(2)
    }

    /// The seat that many places clockwise.
    pub const fn clockwise(self, places: usize) -> Self {
        Self::ALL[(self as usize + places) % 4]
    }

    /// Whether two seats are of one team; a seat is of its own.
    pub const fn same_team(self, other: Self) -> bool {
        self as usize % 2 == other as usize % 2
    }

    /// The seat of a number on the wire, where 0 is no seat.
    pub(crate) fn of(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }
}

/// `N`, `E`, `S` or `W`.
impl fmt::Display for Seat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_char(['N', 'E', 'S', 'W'][self.index()])
    }
}
