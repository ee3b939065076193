import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One node of OpenSearch with its modules from the class path, where a distribution has them in
 * folders. Arguments are settings, {@code name=value}; a value with commas is a list.
 */
public final class ClusterNode {
    private static final List<Class<? extends Plugin>> MODULES =
        List.of(Netty4Plugin.class, CommonAnalysisPlugin.class);

    /** The constructor that takes modules is there for subclasses only. */
    private static final class WithModules extends Node {
        WithModules(Environment environment, Collection<Class<? extends Plugin>> modules) {
            super(environment, modules, false);
        }
    }

    private ClusterNode() {}

    public static void main(String[] arguments) throws Exception {
        Settings.Builder settings = Settings.builder();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            if (pair[1].contains(",")) {
                settings.putList(pair[0], pair[1].split(","));
            } else {
                settings.put(pair[0], pair[1]);
            }
        }
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), null, () -> "node");
        Node node = new WithModules(environment, MODULES);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        node.start();
        System.out.println("started");
        Thread.currentThread().join();
    }

    private static void close(Node node) {
        try {
            node.close();
        } catch (Exception failure) {
            System.err.println("not closed: " + failure.getClass().getName());
        }
    }
}
