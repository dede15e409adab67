#if canImport(SwiftUI)
    import PouchCoordination
    import SwiftUI

    /// A screen that SwiftUI shows: usually the observable model of a view.
    ///
    ///     @Observable
    ///     final class HomeModel: HomeScreen, ViewScreen {
    ///         @ObservationIgnored weak var coordinatingResponder: (any Responder)?
    ///         var promotions = LoadState<[Promotion]>()
    ///         ...
    ///         var content: some View { HomeView(home: self) }
    ///     }
    @MainActor
    public protocol ViewScreen: Screen {
        associatedtype Content: View
        @ViewBuilder var content: Content { get }
    }

    extension EnvironmentValues {
        /// The responder to which a view sends its messages: its screen, or a part of it that the app sets. Views are
        /// values, and so cannot be links of the chain.
        ///
        ///     @Environment(\.responder) private var responder
        ///
        ///     Button("Add") { Task { try await responder?.send(AddToCart(sku: sku)) } }
        public var responder: (any Responder)? {
            get { self[ResponderKey.self] }
            set { self[ResponderKey.self] = newValue }
        }
    }

    private struct ResponderKey: EnvironmentKey {
        static let defaultValue: (any Responder)? = nil
    }

    /// The view of a screen, with the screen as its responder. Empty for a screen without a view.
    struct ScreenView: View {
        let screen: any Screen

        var body: some View {
            content.environment(\.responder, screen)
        }

        private var content: AnyView {
            func view(_ screen: some ViewScreen) -> AnyView { AnyView(screen.content) }
            return (screen as? any ViewScreen).map { view($0) } ?? AnyView(EmptyView())
        }
    }
#endif
