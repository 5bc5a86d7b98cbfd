//! How long to think: for a time of this thread's own, or for a number of dreams.

use std::time::Duration;

/// How many dreams are thought through together at most.
const ROUND: usize = 256;
/// How many of them to begin with when time counts, until it is known how long they take.
const FIRST_ROUND: usize = 32;

/// How much a decision may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Processor time; how far it goes depends on the machine.
    Time(Duration),
    /// Dreams; the same everywhere.
    Dreams(usize),
}

impl Budget {
    /// The same, or less if it is more than a hundredth of what is left for the match.
    pub fn within(self, time_left: Option<Duration>) -> Self {
        match (self, time_left) {
            (Self::Time(most), Some(left)) => Self::Time(most.min(left / 100)),
            _ => self,
        }
    }
}

/// A decision's budget, running.
pub struct Clock {
    budget: Budget,
    began: Duration,
    dreams: usize,
    round: usize,
}

impl Clock {
    pub fn start(budget: Budget) -> Self {
        let timed = matches!(budget, Budget::Time(_));
        let began = if timed { processor_time() } else { Duration::ZERO };
        Self { budget, began, dreams: 0, round: FIRST_ROUND }
    }

    /// How many dreams to think through next; None when the budget is used up.
    pub fn next_round(&mut self) -> Option<usize> {
        let round = match self.budget {
            Budget::Dreams(most) => ROUND.min(most.max(1) - self.dreams),
            Budget::Time(_) if self.dreams == 0 => FIRST_ROUND,
            Budget::Time(most) => self.affordable(most),
        };
        self.dreams += round;
        (round > 0).then_some(round)
    }

    /// Twice as many as before, or none if they would take longer than what is left.
    fn affordable(&mut self, most: Duration) -> usize {
        self.round = ROUND.min(2 * self.round);
        let used = processor_time() - self.began;
        let takes = used.mul_f64(self.round as f64 / self.dreams as f64);
        if used + takes <= most { self.round } else { 0 }
    }
}

/// What the C library calls `struct timespec`.
#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

const THREAD_CPUTIME: i32 = 3;

unsafe extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// The processor time this thread has used: waiting for a core does not count.
fn processor_time() -> Duration {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the C library writes one timespec of the 64-bit layout where it is told to.
    let told = unsafe { clock_gettime(THREAD_CPUTIME, &mut time) };
    assert_eq!(told, 0, "Linux has a processor clock for every thread");
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(budget: Budget) -> Vec<usize> {
        let mut clock = Clock::start(budget);
        std::iter::from_fn(|| clock.next_round()).collect()
    }

    #[test]
    fn a_number_of_dreams_is_thought_through_exactly() {
        assert_eq!(rounds(Budget::Dreams(600)), [256, 256, 88]);
    }

    #[test]
    fn there_is_a_dream_even_without_time() {
        assert_eq!(rounds(Budget::Time(Duration::ZERO)), [FIRST_ROUND]);
    }

    #[test]
    fn what_is_left_for_the_match_is_not_spent_on_one_decision() {
        let budget = Budget::Time(Duration::from_millis(10));
        let left = Some(Duration::from_millis(100));
        assert_eq!(budget.within(left), Budget::Time(Duration::from_millis(1)));
    }
}
