//! What may stand behind the program's name.

use std::time::Duration;

use crate::thinking::Budget;

const USAGE: &str = "usage: dreamer [--budget-ms MILLISECONDS | --samples NUMBER]";
const USUAL: Duration = Duration::from_millis(10);

/// The budget that is asked for, the usual one if nothing is.
pub fn budget(arguments: impl Iterator<Item = String>) -> Result<Budget, String> {
    let words: Vec<String> = arguments.collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [] => Ok(Budget::Time(USUAL)),
        ["--budget-ms", number] => {
            at_least_one(number).map(Duration::from_millis).map(Budget::Time)
        }
        ["--samples", number] => at_least_one(number).map(|most| Budget::Dreams(most as usize)),
        _ => Err(USAGE.to_owned()),
    }
}

fn at_least_one(number: &str) -> Result<u64, String> {
    number.parse().ok().filter(|&number| number > 0).ok_or_else(|| USAGE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &str) -> Result<Budget, String> {
        budget(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn ten_milliseconds_are_usual() {
        assert_eq!(asked(""), Ok(Budget::Time(USUAL)));
    }

    #[test]
    fn a_time_can_be_asked_for() {
        assert_eq!(asked("--budget-ms 2"), Ok(Budget::Time(Duration::from_millis(2))));
    }

    #[test]
    fn a_number_of_dreams_can_be_asked_for() {
        assert_eq!(asked("--samples 300"), Ok(Budget::Dreams(300)));
    }

    #[test]
    fn no_time_at_all_is_refused() {
        assert_eq!(asked("--budget-ms 0"), Err(USAGE.to_owned()));
    }

    #[test]
    fn an_unknown_option_is_refused() {
        assert_eq!(asked("--depth 3"), Err(USAGE.to_owned()));
    }
}
