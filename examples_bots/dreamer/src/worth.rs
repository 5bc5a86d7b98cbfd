//! What a score is worth: the chance to win the match from it.

use upcard::Game;

use crate::deal::Score;
use crate::open_hand::{NOBODY, OpenHand};

/// The most points of a hand.
const MOST: usize = 7;

/// How often a hand brings the dealer's team so many points, and the other team.
struct Hands {
    dealers: [f32; MOST + 1],
    others: [f32; MOST + 1],
}

/// As played by this bot against itself.
const EUCHRE: Hands = Hands {
    dealers: [0.0, 0.469, 0.151, 0.0, 0.056, 0.0, 0.0, 0.0],
    others: [0.0, 0.164, 0.145, 0.0, 0.015, 0.0, 0.0, 0.0],
};
const WHIST: Hands = Hands {
    dealers: [0.0, 0.18, 0.14, 0.10, 0.055, 0.024, 0.008, 0.002],
    others: [0.0, 0.175, 0.135, 0.095, 0.052, 0.024, 0.008, 0.002],
};

/// The chance to win from every score.
pub struct Worth {
    target: usize,
    /// By our points, theirs, and whether we deal next.
    chances: Vec<[f32; 2]>,
}

impl Worth {
    pub fn new(game: Game, target: u32) -> Self {
        let target = target as usize;
        let mut worth = Self { target, chances: vec![[0.5; 2]; target * target] };
        let hands = if game == Game::Euchre { &EUCHRE } else { &WHIST };
        for us in (0..target).rev() {
            for them in (0..target).rev() {
                let row =
                    [worth.expected(hands, us, them, false), worth.expected(hands, us, them, true)];
                worth.chances[us * target + them] = row;
            }
        }
        worth
    }

    fn expected(&self, hands: &Hands, us: usize, them: usize, we_deal: bool) -> f32 {
        let (ours, theirs) =
            if we_deal { (hands.dealers, hands.others) } else { (hands.others, hands.dealers) };
        let all: f32 = ours.iter().chain(&theirs).sum();
        let won = (1..=MOST).map(|n| ours[n] * self.chance(us + n, them, !we_deal));
        let lost = (1..=MOST).map(|n| theirs[n] * self.chance(us, them + n, !we_deal));
        won.chain(lost).sum::<f32>() / all
    }

    /// The chance to win the match with a score and a deal to come.
    pub fn chance(&self, us: usize, them: usize, we_deal: bool) -> f32 {
        if us >= self.target {
            1.0
        } else if them >= self.target {
            0.0
        } else {
            self.chances[us * self.target + them][usize::from(we_deal)]
        }
    }

    /// What each result of a hand is worth.
    pub fn results(&self, score: Score, we_deal_next: bool) -> Results {
        let (us, them) = (score.us as usize, score.them as usize);
        Results {
            ours: std::array::from_fn(|n| self.chance(us + n, them, we_deal_next)),
            theirs: std::array::from_fn(|n| self.chance(us, them + n, we_deal_next)),
        }
    }
}

/// What it is worth if we score so many points in a hand, or they do.
#[derive(Clone, Copy, Debug)]
pub struct Results {
    ours: [f32; MOST + 1],
    theirs: [f32; MOST + 1],
}

impl Results {
    /// What a finished hand is worth to a seat.
    pub fn of(&self, open: &OpenHand, seat: usize) -> f32 {
        match points(open, seat % 2) {
            0 => self.theirs[points(open, 1 - seat % 2)],
            ours => self.ours[ours],
        }
    }

    /// What it is worth that nobody scores.
    pub fn of_misdeal(&self) -> f32 {
        self.ours[0]
    }
}

/// What a team scores with a finished hand.
pub fn points(open: &OpenHand, team: usize) -> usize {
    let taken = usize::from(open.taken[team]);
    if open.game == Game::Whist {
        return taken.saturating_sub(6);
    }
    match (open.maker % 2 == team, taken) {
        (true, 5) if open.sits_out != NOBODY => 4,
        (true, 5) => 2,
        (true, 3 | 4) => 1,
        (false, 3..) => 2,
        _ => 0,
    }
}
