#if canImport(SwiftUI)
    import Observation
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
        ///     Button("Add") { Task { try await responder?.send(EditCart.add(sku: sku)) } }
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

    // MARK: - Surfaces

    /// The screens of a SwiftUI `NavigationStack` as a surface, with sheets for presented stacks.
    ///
    ///     @State private var surface = ViewSurface()
    ///
    ///     var body: some Scene { WindowGroup { CoordinatedView(surface) } }
    ///
    /// Screens are `ViewScreen`s.
    @MainActor
    @Observable
    public final class ViewSurface: NavigationSurface {
        @ObservationIgnored public var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)?
        private var screens: [any Screen] = []
        /// The surface over this one. It becomes visible with its first screen.
        private var upper: ViewSurface?
        @ObservationIgnored private weak var lower: ViewSurface?

        public init() {}

        public func show(_ screens: [any Screen]) {
            self.screens = screens
            lower?.upper = self
        }

        public func present() -> any NavigationSurface {
            let surface = ViewSurface()
            surface.lower = self
            return surface
        }

        public func dismiss() {
            lower?.upper = nil
        }

        // MARK: For the view

        var root: (any Screen)? { screens.first }

        /// The screens over the root. SwiftUI sets it when the user goes back.
        var path: [ScreenID] {
            get { screens.dropFirst().map { ScreenID($0) } }
            set {
                guard let root, newValue.count < screens.count - 1 else { return }
                let remaining = [root] + screens.dropFirst().filter { newValue.contains(ScreenID($0)) }
                screens = remaining
                userDidGoBack?(remaining)
            }
        }

        /// The surface in a sheet. SwiftUI sets it to nil when the user dismisses the sheet.
        var sheet: ViewSurface? {
            get { upper }
            set {
                guard newValue == nil, let upper else { return }
                self.upper = nil
                upper.userDidGoBack?([])
            }
        }

        func screen(_ id: ScreenID) -> (any Screen)? { screens.first { ScreenID($0) == id } }
    }

    extension ViewSurface: Identifiable {}

    /// The identity of a screen in a path.
    struct ScreenID: Hashable {
        private let id: ObjectIdentifier

        init(_ screen: any Screen) {
            id = ObjectIdentifier(screen)
        }
    }

    /// Shows the screens of a surface, and its presented surface in a sheet.
    public struct CoordinatedView: View {
        @Bindable private var surface: ViewSurface

        public init(_ surface: ViewSurface) {
            self.surface = surface
        }

        public var body: some View {
            NavigationStack(path: $surface.path) {
                view(of: surface.root)
                    .navigationDestination(for: ScreenID.self) { id in view(of: surface.screen(id)) }
            }
            .sheet(item: $surface.sheet) { CoordinatedView($0) }
        }

        @ViewBuilder
        private func view(of screen: (any Screen)?) -> some View {
            // Another screen of the same type, for example as the root, starts with its own state.
            if let screen { ScreenView(screen: screen).id(ScreenID(screen)) }
        }
    }

    // MARK: - Several stacks

    /// The tabs of a `TabView` as a group.
    ///
    ///     TabView(selection: $tabs.selection) {
    ///         ForEach(tabs.tabs.indices, id: \.self) { CoordinatedView(tabs.tabs[$0]).tag($0) }
    ///     }
    @MainActor
    @Observable
    public final class TabViewSurface: GroupSurface {
        public let tabs: [ViewSurface]
        @ObservationIgnored public var visibleDidChange: (@MainActor () -> Void)?
        private var chosen = 0

        public init(tabs count: Int) {
            tabs = (0..<count).map { _ in ViewSurface() }
        }

        public var surfaces: [any NavigationSurface] { tabs }

        public var visible: Set<Int> { [chosen] }

        public func choose(_ index: Int) {
            chosen = index
        }

        /// The index of the visible tab. SwiftUI sets it when the user selects another.
        public var selection: Int {
            get { chosen }
            set {
                guard newValue != chosen else { return }
                chosen = newValue
                visibleDidChange?()
            }
        }
    }

    /// The two columns of a `NavigationSplitView` as a group. If there is room for only one, the detail covers the
    /// sidebar while it has screens, until the user goes back.
    ///
    ///     @State private var split = NavigationSplitSurface()
    ///
    ///     var body: some Scene { WindowGroup { CoordinatedSplitView(split) } }
    @MainActor
    @Observable
    public final class NavigationSplitSurface: GroupSurface {
        public let sidebar = ViewSurface()
        public let detail = ViewSurface()
        @ObservationIgnored public var visibleDidChange: (@MainActor () -> Void)?
        private var visibility = NavigationSplitViewVisibility.all
        /// The visible column if there is room for only one; nil if there is room for both.
        private var onlyColumn: NavigationSplitViewColumn?

        public init() {}

        public var surfaces: [any NavigationSurface] { [sidebar, detail] }

        public var visible: Set<Int> {
            if let onlyColumn { return onlyColumn == .detail ? [1] : [0] }
            return visibility == .detailOnly ? [1] : [0, 1]
        }

        public func choose(_ index: Int) {
            if isCollapsed { onlyColumn = index == 1 ? .detail : .sidebar } else { visibility = .all }
        }

        // MARK: For the view

        /// Whether there is room for only one column.
        var isCollapsed: Bool {
            get { onlyColumn != nil }
            set {
                guard newValue != isCollapsed else { return }
                onlyColumn = newValue ? compactColumn : nil
                visibleDidChange?()
            }
        }

        /// SwiftUI sets it when the user goes back from the detail.
        var compactColumn: NavigationSplitViewColumn {
            get { onlyColumn ?? (detail.root == nil ? .sidebar : .detail) }
            set {
                guard isCollapsed, newValue != onlyColumn else { return }
                onlyColumn = newValue
                visibleDidChange?()
            }
        }

        /// SwiftUI sets it when the user hides or shows the sidebar.
        var columnVisibility: NavigationSplitViewVisibility {
            get { visibility }
            set {
                guard newValue != visibility else { return }
                visibility = newValue
                visibleDidChange?()
            }
        }
    }

    /// Shows both columns of a split view, with their presented surfaces in sheets.
    public struct CoordinatedSplitView: View {
        @Bindable private var split: NavigationSplitSurface
        @Environment(\.horizontalSizeClass) private var sizeClass

        public init(_ split: NavigationSplitSurface) {
            self.split = split
        }

        public var body: some View {
            NavigationSplitView(
                columnVisibility: $split.columnVisibility, preferredCompactColumn: $split.compactColumn
            ) {
                CoordinatedView(split.sidebar)
            } detail: {
                CoordinatedView(split.detail)
            }
            .onChange(of: sizeClass, initial: true) { split.isCollapsed = sizeClass == .compact }
        }
    }
#endif
