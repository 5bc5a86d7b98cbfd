package org.upcard;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** What is done before the hello. */
class RehearsalTest {
  @Test
  void bothGamesAreRehearsed() {
    assertDoesNotThrow(Rehearsal::run);
  }

  @Test
  void aRehearsalLeavesNothingToDecide() throws Exception {
    Rehearsal.run();
    assertNull(Moment.deciding());
  }
}
