// SPDX-License-Identifier: MIT
import java.nio.file.Path;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.MockNode;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A node of OpenSearch on 127.0.0.1, for tests/check_opensearch.py: a directory
 * and the port of HTTP are its arguments. It ends with its standard input.
 */
public final class OpenSearchNode {
	public static void main(String[] args) throws Exception {
		Settings settings = Settings.builder()
			.put("path.home", Path.of(args[0]).toAbsolutePath().toString())
			.put("cluster.name", "apmtool-test")
			.put("node.name", "only")
			.put("discovery.type", "single-node")
			.put("network.host", "127.0.0.1")
			.put("http.port", args[1])
			.put("transport.port", "0")
			// A full disk of whoever tests makes indexes read-only.
			.put("cluster.routing.allocation.disk.threshold_enabled", false)
			.build();

		try (Node node = new MockNode(settings, List.of(Netty4Plugin.class))) {
			node.start();
			System.out.println("ready");
			while (System.in.read() >= 0) {
			}
		}
	}
}
