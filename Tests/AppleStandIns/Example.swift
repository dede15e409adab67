// An app's screens and start on UIKit and on SwiftUI, type-checked with PouchUI: what an app writes must compile, too.

import Observation
import PouchCoordination
import PouchUI
import SwiftUI
import UIKit

private struct Greet: Message {
    let name: String
}

private final class GreetingCoordinator: NavigationCoordinator<String> {
    var greeted: [String] = []

    override func registerHandlers() {
        super.registerHandlers()
        handle(Greet.self) { $0.greeted.append($1.name) }
    }
}

// MARK: UIKit

private final class GreetingViewController: UIViewController, Screen {
    func wasTapped() { Task { try await send(Greet(name: "Ada")) } }
}

private final class GreetingView: UIView {
    func wasTapped() { Task { try await send(Greet(name: "Bea")) } }
}

@MainActor
private func startTabs(in window: UIWindow) -> GreetingCoordinator {
    let tabs = TabBarSurface(
        UITabBarController(),
        tabs: [
            NavigationControllerSurface(UINavigationController()),
            NavigationControllerSurface(UINavigationController()),
        ])
    window.rootViewController = tabs.controller
    return start(on: NavigationGroup(on: tabs))
}

@MainActor
private func startColumns(in window: UIWindow) -> GreetingCoordinator {
    let split = SplitViewSurface(
        UISplitViewController(style: .doubleColumn),
        primary: NavigationControllerSurface(UINavigationController()),
        secondary: NavigationControllerSurface(UINavigationController()))
    window.rootViewController = split.controller
    return start(on: NavigationGroup(on: split))
}

@MainActor
private func start(on group: NavigationGroup) -> GreetingCoordinator {
    let root = GreetingCoordinator(on: group.stacks[0])
    root.start()
    root.show(GreetingViewController())
    root.start(GreetingCoordinator(on: group.stacks[1]))
    return root
}

// MARK: SwiftUI

@MainActor
@Observable
private final class GreetingModel: ViewScreen {
    @ObservationIgnored weak var coordinatingResponder: (any Responder)?
    var name = "Ada"

    var content: some View { GreetingContent(model: self) }
}

private struct GreetingContent: View {
    let model: GreetingModel
    @SwiftUI.Environment(\.responder) private var responder

    var body: some View {
        Button("Greet") { Task { try await responder?.send(Greet(name: model.name)) } }
    }
}

@MainActor
private func startWithSwiftUI() -> (some View, GreetingCoordinator) {
    let surface = ViewSurface()
    let root = GreetingCoordinator(on: ScreenStack(on: surface))
    root.start()
    root.show(GreetingModel())
    return (CoordinatedView(surface), root)
}

@MainActor
private func startColumnsWithSwiftUI() -> (some View, GreetingCoordinator) {
    let split = NavigationSplitSurface()
    let group = NavigationGroup(on: split)
    let root = GreetingCoordinator(on: group.stacks[0])
    root.start()
    root.show(GreetingModel())
    root.start(GreetingCoordinator(on: group.stacks[1]))
    return (CoordinatedSplitView(split), root)
}

private struct TabsView: View {
    @Bindable var tabs: TabViewSurface

    var body: some View {
        TabView(selection: $tabs.selection) {
            ForEach(tabs.tabs.indices, id: \.self) { CoordinatedView(tabs.tabs[$0]).tag($0) }
        }
    }
}

@MainActor
private func startTabsWithSwiftUI() -> (some View, GreetingCoordinator) {
    let tabs = TabViewSurface(tabs: 2)
    let root = GreetingCoordinator(on: NavigationGroup(on: tabs).stacks[0])
    root.start()
    return (TabsView(tabs: tabs), root)
}
