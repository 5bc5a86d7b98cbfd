//! When answers are sent.

use std::time::{Duration, Instant};

use crate::pieces::Piece;
use crate::v1::Answers;

fn answers(turn_ids: &[u32]) -> Answers {
    Answers {
        turn_ids: turn_ids.to_vec(),
        choices: vec![0; turn_ids.len()],
    }
}

#[test]
fn answers_within_a_tenth_of_a_second_go_together() {
    let begin = Instant::now();
    let mut piece = Piece::new(begin);
    piece.add(1, 0);
    assert_eq!(piece.take_due(begin + Duration::from_millis(99)), None);
    piece.add(2, 0);
    assert_eq!(piece.rest(), Some(answers(&[1, 2])));
}

#[test]
fn after_a_tenth_of_a_second_what_there_is_goes() {
    let begin = Instant::now();
    let mut piece = Piece::new(begin);
    piece.add(1, 0);
    assert_eq!(
        piece.take_due(begin + Duration::from_millis(100)),
        Some(answers(&[1]))
    );
}

#[test]
fn the_next_piece_has_a_tenth_of_a_second_of_its_own() {
    let begin = Instant::now();
    let mut piece = Piece::new(begin);
    piece.add(1, 0);
    piece.take_due(begin + Duration::from_millis(150));
    piece.add(2, 0);
    assert_eq!(piece.take_due(begin + Duration::from_millis(249)), None);
}

#[test]
fn nothing_is_sent_when_nothing_is_left() {
    assert_eq!(Piece::new(Instant::now()).rest(), None);
}
