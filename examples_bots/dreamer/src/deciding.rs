//! Trying every choice in many dreams, and taking the one that does best.

use upcard::Random;

use crate::deal::Known;
use crate::plausible;
use crate::sample::{Dream, Sampler};
use crate::thinking::{Budget, Clock};

/// How many deals are drawn for each that is dreamed on: the ones that explain most are picked.
const DRAWN_FOR_EACH: usize = 4;

/// Returns the place of the choice that is worth most, the first of equals.
///
/// `worths` gives what each choice is worth in some dreams together, each as often as it counts.
pub fn best(
    known: &Known,
    choices: usize,
    budget: Budget,
    random: &mut Random,
    mut worths: impl FnMut(&[(Dream, f32)], &mut Random) -> Vec<f32>,
) -> usize {
    let mut clock = Clock::start(budget);
    let sampler = Sampler::new(known);
    let mut sums = vec![0.0; choices];
    while let Some(dreams) = clock.next_round() {
        let dreams = plausible_dreams(known, &sampler, dreams, random);
        for (sum, worth) in sums.iter_mut().zip(worths(&dreams, random)) {
            *sum += worth;
        }
    }
    let by_worth = |a: &usize, b: &usize| sums[*a].total_cmp(&sums[*b]);
    (0..choices).rev().max_by(by_worth).expect("there is a choice")
}

/// Draws deals and picks some of them at even steps of plausibility, a few of them several times.
fn plausible_dreams(
    known: &Known,
    sampler: &Sampler,
    wanted: usize,
    random: &mut Random,
) -> Vec<(Dream, f32)> {
    let drawn: Vec<(Dream, f32)> = (0..DRAWN_FOR_EACH * wanted)
        .map(|_| {
            let dream = sampler.draw(random);
            (dream, plausible::of(known, &dream))
        })
        .collect();
    let all: f32 = drawn.iter().map(|(_, chance)| chance).sum();
    let step = all / wanted as f32;
    let mut next = random.fraction() as f32 * step;
    let mut passed = 0.0;
    let pick = |(dream, chance): (Dream, f32)| {
        passed += chance;
        let mut times = 0.0;
        while next < passed {
            times += 1.0;
            next += step;
        }
        (times > 0.0).then_some((dream, times))
    };
    drawn.into_iter().filter_map(pick).collect()
}
