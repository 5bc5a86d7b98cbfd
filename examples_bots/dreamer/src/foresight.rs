//! Thinking ahead in many dreams at once: we play on as well as we can know how, others by habit.

use crate::cards::{Card, Cards};
use crate::habit;
use crate::open_hand::OpenHand;

/// How much better than by habit a card must do in all dreams together: about a point in one.
const HABIT_IS_SOUND: f32 = 0.06;

/// A dream of the play, and how many times it counts.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub open: OpenHand,
    pub times: f32,
    /// The cards played since our last one, six bits each: what we can tell courses apart by.
    seen: u64,
}

impl Course {
    pub fn new(open: OpenHand, times: f32) -> Self {
        Self { open, times, seen: 0 }
    }

    /// Goes on with a card of ours until it is our turn again, or the hand is over.
    fn after(&self, card: Card, seat: usize) -> Self {
        let mut open = self.open;
        open.play(card);
        let mut seen = 0;
        while !open.is_over() && open.turn != seat {
            let theirs = habit::card(&open);
            seen = seen << 6 | u64::from(theirs.0);
            open.play(theirs);
        }
        Self { open, seen, times: self.times }
    }
}

/// Returns what each course is worth if the seat to move plays a card now and goes on well.
pub fn worths_after(
    courses: &[Course],
    card: Card,
    seat: usize,
    worth: &impl Fn(&OpenHand) -> f32,
) -> Vec<f32> {
    let mut worths = vec![0.0; courses.len()];
    let mut going = Vec::with_capacity(courses.len());
    for (place, course) in courses.iter().enumerate() {
        let next = course.after(card, seat);
        if next.open.is_over() {
            worths[place] = worth(&next.open);
        } else {
            going.push((next, place));
        }
    }
    going.sort_unstable_by_key(|(course, place)| (course.seen, *place));
    for alike in going.chunk_by(|(one, _), (other, _)| one.seen == other.seen) {
        let courses: Vec<Course> = alike.iter().map(|(course, _)| *course).collect();
        let places = alike.iter().map(|(_, place)| *place);
        for (worth, place) in worths_from(&courses, seat, worth).into_iter().zip(places) {
            worths[place] = worth;
        }
    }
    worths
}

/// Returns what courses are worth that look the same to us, who are to play.
fn worths_from(courses: &[Course], seat: usize, worth: &impl Fn(&OpenHand) -> f32) -> Vec<f32> {
    if let [course] = courses {
        let mut open = course.open;
        habit::play_out(&mut open);
        return vec![worth(&open)];
    }
    let choices = alternatives(&courses[0].open);
    let after = |&card: &Card| worths_after(courses, card, seat, worth);
    let mut tried: Vec<Vec<f32>> = choices.iter().map(after).collect();
    if choices.len() == 1 {
        return tried.remove(0);
    }
    let habit = alike(&choices, habit::card(&courses[0].open));
    well_chosen(courses, &tried, habit)
}

/// In each course, takes what does best in the *others*. To choose by the course itself would be to
/// play with all cards open, and to believe in luck that nobody can find at the table.
fn well_chosen(courses: &[Course], tried: &[Vec<f32>], habit: usize) -> Vec<f32> {
    let weighed = |worths: &Vec<f32>, place: usize| worths[place] * courses[place].times;
    let mut sums: Vec<f32> = tried
        .iter()
        .map(|worths| (0..courses.len()).map(|place| weighed(worths, place)).sum())
        .collect();
    sums[habit] += HABIT_IS_SOUND;
    let choose = |place: usize| {
        let in_others = |choice: usize| sums[choice] - weighed(&tried[choice], place);
        let better = |a: &usize, b: &usize| in_others(*a).total_cmp(&in_others(*b));
        (0..tried.len()).max_by(better).expect("there is a choice")
    };
    (0..courses.len()).map(|place| tried[choose(place)][place]).collect()
}

/// What the seat to move may choose from: of cards with nothing between them only the lowest.
fn alternatives(open: &OpenHand) -> Vec<Card> {
    let between = open.still_out() | Cards::one(open.winning);
    let mut alternatives: Vec<Card> = Vec::with_capacity(5);
    let mut last: Option<Card> = None;
    for card in open.legal() {
        if !last.is_some_and(|last| are_next(last, card, between)) {
            alternatives.push(card);
        }
        last = Some(card);
    }
    alternatives
}

fn are_next(low: Card, high: Card, between: Cards) -> bool {
    let higher_than_low = between.0 >> low.0;
    low.suit() == high.suit() && higher_than_low & ((1 << (high.0 - low.0)) - 1) == 0
}

/// The place of the alternative that stands for a card: the next one down.
fn alike(choices: &[Card], card: Card) -> usize {
    choices.partition_point(|&choice| choice <= card) - 1
}

#[cfg(test)]
mod tests {
    use upcard::Game;

    use super::*;

    #[test]
    fn nobody_guesses_which_of_two_alike_courses_it_is() {
        let open = OpenHand::new(Game::Euchre, [Cards::NONE; 4], 0, 3);
        let alike = [Course::new(open, 1.0), Course::new(open, 1.0)];
        let each_good_in_one = [vec![1.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(well_chosen(&alike, &each_good_in_one, 0), [0.0, 0.0]);
    }
}
