package org.upcard;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Unix socket as a Socket, with another end to talk to. */
class UnixSocketTest {
  private static final byte[] WORD = {1, 2, 3};

  @TempDir Path directory;

  private ServerSocketChannel server;
  private UnixSocket socket;
  private SocketChannel other;

  @BeforeEach
  void connect() throws IOException {
    Path path = directory.resolve("referee.sock");
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    socket = new UnixSocket(path);
    other = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    other.close();
    server.close();
  }

  @Test
  void whatIsWrittenArrives() throws IOException {
    socket.getOutputStream().write(WORD);
    ByteBuffer got = ByteBuffer.allocate(WORD.length);
    other.read(got);
    assertArrayEquals(WORD, got.array());
  }

  @Test
  void whatArrivesIsRead() throws IOException {
    other.write(ByteBuffer.wrap(WORD));
    assertArrayEquals(WORD, socket.getInputStream().readNBytes(WORD.length));
  }

  @Test
  void aByteIsReadAsItsNumber() throws IOException {
    other.write(ByteBuffer.wrap(new byte[] {-1}));
    assertEquals(255, socket.getInputStream().read());
  }

  @Test
  void theEndIsRead() throws IOException {
    other.close();
    assertEquals(-1, socket.getInputStream().read());
  }

  @Test
  void aSocketThatIsNotThereIsRefused() {
    assertThrows(IOException.class, () -> new UnixSocket(directory.resolve("nothing")));
  }
}
