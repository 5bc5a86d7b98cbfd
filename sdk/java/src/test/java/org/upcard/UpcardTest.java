package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wrong call of run is told. */
class UpcardTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 257})
  void aBotSitsAtOneTableToAsManyAsThereMayBe(int tables) {
    Exception error =
        assertThrows(
            IllegalArgumentException.class,
            () -> Upcard.run((seat, rules, random) -> null, tables));
    assertEquals("a bot sits at 1 to 256 tables, not " + tables, error.getMessage());
  }
}
