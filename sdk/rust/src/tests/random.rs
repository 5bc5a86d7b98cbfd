//! The bot's chance.

use crate::Random;

#[test]
fn it_draws_what_xoshiro256_plus_plus_draws() {
    let mut random = Random::in_state([1, 2, 3, 4]);
    let drawn = [(); 4].map(|()| random.bits());
    assert_eq!(
        drawn,
        [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386
        ]
    );
}

#[test]
fn the_same_seed_draws_the_same() {
    assert_eq!(Random::new(7).bits(), Random::new(7).bits());
}

#[test]
fn another_seed_draws_something_else() {
    assert_ne!(Random::new(7).bits(), Random::new(8).bits());
}

#[test]
fn every_number_below_the_end_is_drawn() {
    let mut random = Random::new(0);
    let mut drawn: Vec<usize> = (0..100).map(|_| random.below(5)).collect();
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn, [0, 1, 2, 3, 4]);
}

#[test]
fn a_fraction_is_below_1() {
    let mut random = Random::new(0);
    assert!((0..1000).all(|_| (0.0..1.0).contains(&random.fraction())));
}

#[test]
fn shuffling_keeps_everything() {
    let mut numbers: Vec<usize> = (0..52).collect();
    Random::new(0).shuffle(&mut numbers);
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..52));
}

#[test]
#[should_panic(expected = "there is no number below 0")]
fn nothing_is_below_0() {
    Random::new(0).below(0);
}
